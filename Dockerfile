# The app for a group, behind the nginx of `evalcore serve`; docs/serving.md says what was tried.
#   docker build -t evalcore . && docker run -p 8501:8501 evalcore
FROM python:3.13-slim
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN pip install --no-cache-dir -c /src/requirements.lock '/src[app]' && rm -rf /src
RUN useradd --create-home evalcore
USER evalcore
WORKDIR /home/evalcore
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=5)"
ENTRYPOINT ["evalcore", "serve", "--address", "0.0.0.0", "--port", "8501"]
CMD ["--workers", "2", "--memory", "1500"]
