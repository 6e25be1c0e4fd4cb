"""Slack's numbers for Block Kit, in one table: everything that renders, clips or validates takes them from here.

A bare name is a maximum, `…_MIN` a minimum. Texts are counted in characters, lists in items. Sources, by section:
the pages of docs.slack.dev below `reference/block-kit/`, the typings of `@slack/types` 3.2, the method reference of the
Web API, and issues of Slack's own repositories where a limit is not documented.
"""

# Messages: reference/block-kit/blocks, reference/methods/chat.postMessage and chat.update.
MESSAGE_BLOCKS = 50
MESSAGE_ATTACHMENTS = 100
MESSAGE_TEXT = 4_000  # chat.update refuses more (msg_too_long); chat.postMessage advises it
MESSAGE_TEXT_TRUNCATED = 40_000  # chat.postMessage cuts off what is longer, without an error
MESSAGE_ALL_TEXT = 13_200  # msg_blocks_too_long, not documented: slackapi/bolt-js#2509
MESSAGE_ALL_TEXT_SAFE = 10_000  # 11,341 was refused once: slackapi/bolt-js#2867
MESSAGE_TABLES = 1
MESSAGE_DATA_VISUALIZATIONS = 2

# Views: surfaces/modals, reference/methods/views.open.
VIEW_BLOCKS = 100
VIEW_BLOCKS_MIN = 1
VIEW_TITLE = 24
VIEW_SUBMIT = 24
VIEW_CLOSE = 24
VIEW_PRIVATE_METADATA = 3_000
VIEW_CALLBACK_ID = 255
VIEW_EXTERNAL_ID = 255
VIEW_BYTES = 250_000  # view_too_large

# Every block and element: @slack/types, block-kit/blocks and block-elements.
BLOCK_ID = 255
ACTION_ID = 255
TEXT = 3_000
URL = 3_000

# Blocks: reference/block-kit/blocks/<name>-block.
SECTION_TEXT = 3_000
SECTION_FIELDS = 10
SECTION_FIELD_TEXT = 2_000
HEADER_TEXT = 150
CONTEXT_ELEMENTS = 10
ACTIONS_ELEMENTS = 25
INPUT_LABEL = 2_000
INPUT_HINT = 2_000
IMAGE_IMAGE_URL = 3_000
IMAGE_ALT_TEXT = 2_000
IMAGE_TITLE = 2_000
MARKDOWN_TEXT = 12_000
MARKDOWN_TOTAL_TEXT = 12_000
RICH_TEXT_LIST_INDENT = 8
RICH_TEXT_LIST_BORDER = 1
VIDEO_ALT_TEXT = 2_000
VIDEO_TITLE = 199  # "less than 200 characters"
VIDEO_AUTHOR_NAME = 49  # "less than 50 characters"
VIDEO_PROVIDER_NAME = 50
VIDEO_DESCRIPTION = 200
VIDEO_TITLE_URL = 2_000
VIDEO_PROVIDER_ICON_URL = 2_000
ALERT_TEXT = 200
CARD_TITLE = 150
CARD_SUBTITLE = 150
CARD_BODY = 200
CARD_SUBTEXT = 200
CARD_ACTIONS = 3
CAROUSEL_ELEMENTS = 10
CONTAINER_TITLE = 150
CONTAINER_SUBTITLE = 150
CONTAINER_CHILD_BLOCKS = 10
CONTEXT_ACTIONS_ELEMENTS = 5
TABLE_ROWS = 100
TABLE_COLUMNS = 20
TABLE_COLUMN_SETTINGS = 20
DATA_TABLE_ROWS = 201
DATA_TABLE_ROWS_MIN = 2
DATA_TABLE_COLUMNS = 20
DATA_TABLE_PAGE_SIZE = 100
DATA_VISUALIZATION_TITLE = 50
PLAN_TASKS = 50

# Composition objects: reference/block-kit/composition-objects/<name>-object.
CONFIRMATION_TITLE = 100
CONFIRMATION_TEXT = 300
CONFIRMATION_CONFIRM = 30
CONFIRMATION_DENY = 30
OPTION_TEXT = 75
OPTION_VALUE = 150  # the typings still say 75; the page and slack_sdk say 150
OPTION_DESCRIPTION = 75
OPTION_URL = 3_000
OPTION_GROUP_LABEL = 75
OPTION_GROUP_OPTIONS = 100

# Elements: reference/block-kit/block-elements/<name>-element.
BUTTON_TEXT = 75
BUTTON_VALUE = 2_000
BUTTON_URL = 3_000
BUTTON_ACCESSIBILITY_LABEL = 75
WORKFLOW_BUTTON_TEXT = 75
WORKFLOW_BUTTON_ACCESSIBILITY_LABEL = 75
FEEDBACK_BUTTON_TEXT = 75
FEEDBACK_BUTTON_VALUE = 2_000
FEEDBACK_BUTTON_ACCESSIBILITY_LABEL = 75
ICON_BUTTON_VALUE = 2_000
ICON_BUTTON_ACCESSIBILITY_LABEL = 75
ICON_BUTTON_VISIBLE_TO_USER_IDS = 10
SELECT_OPTIONS = 100
SELECT_OPTION_GROUPS = 100
PLACEHOLDER = 150
OVERFLOW_OPTIONS = 5
CHECKBOXES_OPTIONS = 10
RADIO_BUTTONS_OPTIONS = 10
PLAIN_TEXT_INPUT_LENGTH = 3_000
FILE_INPUT_MAX_FILES = 10
RICH_TEXT_INPUT_LINES = 100
TRIGGER_ACTIONS_ON = 2

# Look-ups: reference/block-kit/composition-objects.
EXTERNAL_OPTIONS = 100
