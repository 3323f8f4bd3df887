# One process of the app; compose.yaml runs two of them behind nginx, and docs/serving.md explains it.
#   docker build -t evalcore . && docker run -p 8501:8501 evalcore
FROM python:3.13-slim
COPY . /src
RUN PIP_NO_CACHE_DIR=1 sh /src/.ci/locked python '/src[app]' && rm -rf /src
RUN useradd --create-home evalcore
USER evalcore
WORKDIR /home/evalcore
ENV STREAMLIT_SERVER_PORT=8501
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD python -c "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"STREAMLIT_SERVER_PORT\"]}/_stcore/health', timeout=5)"
ENTRYPOINT ["evalcore", "app", "--no-browser", "--address", "0.0.0.0"]
