"""Debian's nginx with the site of `deploy/`, on private ports and as whoever runs the tests."""

from __future__ import annotations

import getpass
import grp
import os
import shutil
import signal
import ssl
import subprocess
from pathlib import Path
from typing import Any

from tests.kits.faults.daemons import Daemon
from tests.kits.servers.server import free_port
from tests.kits.servers.warm import ROOT

SITE = ROOT / "deploy" / "nginx" / "smartmate.conf"
CERTIFICATES = ROOT / "tests" / "kits" / "tools" / "data"
MAIN = """
user {user} {group};
daemon off;
pid {folder}/pid;
error_log stderr;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Nginx:
    """The site before some web processes; `base_url` is where it serves, `plain_url` where it sends to HTTPS."""

    def __init__(self, folder: Path, webs: list[Any]) -> None:
        self.port, self.plain = free_port(), free_port()
        self.base_url, self.plain_url = f"https://localhost:{self.port}", f"http://localhost:{self.plain}"
        self.log = folder / "log"
        (folder / "site.conf").write_text(self._site(webs))
        main = MAIN.format(folder=folder, user=getpass.getuser(), group=grp.getgrgid(os.getgid()).gr_name)
        (folder / "nginx.conf").write_text(main)
        self.command = [_program(), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
        subprocess.run([*self.command, "-t", "-q"], check=True)
        self.daemon = Daemon(self.command, port=self.port).start()

    def _site(self, webs: list[Any]) -> str:
        text = SITE.read_text()
        first, second = (f"127.0.0.1:{web.port}" for web in webs)
        for deployed, here in (
            ("server 127.0.0.1:8000 ", f"server {first} "),
            ("server 127.0.0.1:8001 ", f"server {second} "),
            ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
            ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            ("/etc/ssl/certs/plan.example.edu.pem", str(CERTIFICATES / "site.test.cert.pem")),
            ("/etc/ssl/private/plan.example.edu.key", str(CERTIFICATES / "site.test.key.pem")),
            ("/var/log/nginx/smartmate.log", str(self.log)),
        ):
            assert text.count(deployed) == 1, deployed
            text = text.replace(deployed, here)
        return text

    def stop(self) -> None:
        self.daemon.signal(signal.SIGTERM)  # a master that is killed would leave its worker behind
        self.daemon.ended()


def trust() -> ssl.SSLContext:
    """Believes the certificate of the tests, whose name is another one."""
    context = ssl.create_default_context(cafile=CERTIFICATES / "site.test.cert.pem")
    context.check_hostname = False
    return context


def _program() -> str:
    script = f"source {ROOT}/script/common.sh; PATH=$PATH:/usr/sbin; want_apt nginx nginx"
    subprocess.run(["bash", "-c", script], check=True)
    found = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    assert found is not None
    return found
