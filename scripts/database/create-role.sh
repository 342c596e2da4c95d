#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume. The gateway's role owns its database and is no superuser: it
# reads no file of the server, runs no program there, and cannot switch off the triggers of the audit log for a session.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$GATEWAY_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
create role postern login password :'password' nosuperuser nocreatedb nocreaterole noreplication;
create database postern owner postern;
revoke all on database postern from public;
SQL
