ALTER TABLE "projects" ADD COLUMN "recovery" text DEFAULT 'any' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "recovery_choice" text DEFAULT 'later' NOT NULL;