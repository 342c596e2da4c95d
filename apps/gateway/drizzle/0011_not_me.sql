ALTER TABLE "devices" ADD COLUMN "subject_hash" text;--> statement-breakpoint
ALTER TABLE "email_flows" ADD COLUMN "site" text;--> statement-breakpoint
ALTER TABLE "email_flows" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "email_flows" DROP COLUMN "origin";--> statement-breakpoint
ALTER TABLE "email_flows" DROP COLUMN "browser";