ALTER TABLE "projects" ADD COLUMN "analytics_days" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "mail" jsonb DEFAULT '{}'::jsonb NOT NULL;