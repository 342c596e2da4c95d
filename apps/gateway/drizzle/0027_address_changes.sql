CREATE TABLE "address_changes" (
	"user_id" text PRIMARY KEY NOT NULL,
	"former_hash" text NOT NULL,
	"former_email" text NOT NULL,
	"device_id" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"frozen_at" timestamp with time zone,
	"was_hardened" boolean NOT NULL,
	"is_proven" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "is_restoring" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "is_restoring" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_changes_former" ON "address_changes" USING btree ("former_hash");--> statement-breakpoint
CREATE INDEX "address_changes_end" ON "address_changes" USING btree ("ends_at");