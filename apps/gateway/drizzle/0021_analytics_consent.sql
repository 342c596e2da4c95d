-- Visitors are asked first by default now. A project that never chose goes on as it was.
update "projects" set "analytics" = "analytics" || '{"consent": false}' where not "analytics" ? 'consent';
