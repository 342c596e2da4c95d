CREATE TABLE "recoveries" (
	"device_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"opens_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"session_id" text
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "recoveries_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "recovery_wait_hours" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recoveries_user" ON "recoveries" USING btree ("user_id");