"""A wallet to pay with or to be paid into: its address, whose checksum is checked, and the chain it is used on."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, StrictInt, WithJsonSchema

from actions.kit.cards._optional import Message
from actions.kit.cards.kind import CardKind

CHAINS = {
    1: "Ethereum",
    10: "Optimism",
    56: "BNB Smart Chain",
    100: "Gnosis",
    137: "Polygon",
    8453: "Base",
    42161: "Arbitrum One",
    11155111: "Sepolia (test network)",
}
"""By the number that EIP-155 gives a chain: what it is called."""
EXAMPLE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
NO_CHECKSUM = (
    "carries no checksum, because its letters are all of one size: copy it from the wallet as it is shown there"
)
WRONG = "is no valid address: its checksum (EIP-55) does not match, so a character is wrong"


def _checked(address: str) -> str:
    """The address, if the size of its letters is its checksum. Raises `ValueError` in words for people."""
    from eth_utils.address import is_checksum_address  # noqa: PLC0415 - it takes as long to import as all the rest

    if is_checksum_address(address):
        return address
    letters = address.removeprefix("0x")
    raise ValueError(NO_CHECKSUM if letters in (letters.lower(), letters.upper()) else WRONG)


def _known(chain: int) -> int:
    if chain not in CHAINS:
        raise ValueError(f"must be one of: {', '.join(f'{number} ({name})' for number, name in CHAINS.items())}")
    return chain


Address = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{40}$", examples=[EXAMPLE]), AfterValidator(_checked)]
ChainId = Annotated[
    StrictInt,
    AfterValidator(_known),
    WithJsonSchema({"type": "integer", "oneOf": [{"const": number, "title": name} for number, name in CHAINS.items()]}),
]


class Wallet(BaseModel, title="Connect", json_schema_extra={"style": "primary"}):
    """Use this wallet."""

    address: Address = Field(description="With its capital and small letters, which are its checksum")
    chainId: ChainId = Field(title="Chain")  # noqa: N815 - the answer is spelt so


class NoWallet(BaseModel, title="Cancel"):
    """Connect none."""

    cancelled: Literal[True] = True
    message: Message = None


KIND = CardKind(
    ui="connect_wallet",
    name="Wallet",
    description="A wallet: its address, with a checksum that is checked, and the chain.",
    data=None,
    answer=Wallet | NoWallet,
    for_models=(
        "Asks a person which wallet to use. Call it once, before anything that needs a wallet, and with no other call "
        "beside it. The answer is `{address, chainId}`; never make up an address. On `cancelled: true` there is no wallet: "
        "stop there, and say so."
    ),
)
