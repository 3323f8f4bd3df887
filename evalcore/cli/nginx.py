"""What nginx is told: each visitor stays at one worker, whatever the request is for, as all that is kept is kept there.

A cookie names the worker that answered last, so also after another one has stepped in for it. A browser that sends no
cookie back, as inside of a frame, is led by its address.
"""

from __future__ import annotations

from collections.abc import Sequence

COOKIE = "evalcore_worker"

_SITE = """\
# Made by `evalcore serve --nginx-conf` for workers at the ports {ports}.

upstream evalcore_next {{
{all}
}}
upstream evalcore_by_address {{
    hash $remote_addr consistent;
{all}
}}
{each}
# A first request is for a page: the workers take turns. What pages ask for brings a cookie, or goes by the address.
map $uri $evalcore_newcomer {{
    default evalcore_next;
    ~^/(_stcore|component|media|path|slides|static)/ evalcore_by_address;
}}
map $cookie_{cookie} $evalcore_worker {{
    default $evalcore_newcomer;
{known}
}}
# The last of those asked, where the first was down.
map $upstream_addr $evalcore_answered {{
    "~:(?<evalcore_port>[0-9]+)$" $evalcore_port;
}}
map "$cookie_{cookie}:$evalcore_answered" $evalcore_cookie {{
    default "{cookie}=$evalcore_answered; Path=/; HttpOnly; SameSite=Lax";
    "~^(.*):\\1$" "";
    "~:$" "";
}}
map $http_upgrade $evalcore_connection {{
    default upgrade;
    "" "";
}}

server {{
    listen {listen};{names}
    client_max_body_size 600m;  # the app's own bound is 500
    add_header Set-Cookie $evalcore_cookie always;
    location / {{
        proxy_pass http://$evalcore_worker;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $evalcore_connection;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_request_buffering off;
        proxy_connect_timeout 5s;
        proxy_read_timeout 1h;
        proxy_send_timeout 1h;
    }}
}}
"""

_WHOLE = """\
pid "{folder}/nginx.pid";
error_log stderr crit;
events {{
    worker_connections 4096;
}}
http {{
    access_log off;
    server_tokens off;
    types_hash_max_size 4096;
    client_body_temp_path "{folder}/body";
    proxy_temp_path "{folder}/proxy";
    fastcgi_temp_path "{folder}/fastcgi";
    uwsgi_temp_path "{folder}/uwsgi";
    scgi_temp_path "{folder}/scgi";

{site}}}
"""


def site(listen: str, ports: Sequence[int], names: Sequence[str] = ()) -> str:
    """The lines for `http`: where nginx listens, under which names (none: all), and the ports of the workers."""
    others = {port: [other for other in ports if other != port] for port in ports}
    each = "".join(
        f"upstream evalcore_{port} {{\n"
        + "\n".join([_server(port), *(f"    server 127.0.0.1:{other} backup;" for other in others[port])])
        + "\n}\n"
        for port in ports
    )
    return _SITE.format(
        ports=", ".join(map(str, ports)),
        listen=listen,
        names=f"\n    server_name {' '.join(names)};" if names else "",
        all="\n".join(map(_server, ports)),
        each=each,
        known="\n".join(f"    {port} evalcore_{port};" for port in ports),
        cookie=COOKIE,
    )


def whole(folder: str, listen: str, ports: Sequence[int]) -> str:
    """A configuration of its own, all of whose files are in a folder."""
    quoted = folder.replace("\\", "\\\\").replace('"', '\\"')
    return _WHOLE.format(folder=quoted, site=site(listen, ports))


def _server(port: int) -> str:
    return f"    server 127.0.0.1:{port} max_fails=1 fail_timeout=5s;"
