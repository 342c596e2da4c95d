CREATE TABLE "wallet_ends" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_hash" text NOT NULL,
	"subject_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "wallet_ends_device" ON "wallet_ends" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "wallet_ends_age" ON "wallet_ends" USING btree ("created_at");