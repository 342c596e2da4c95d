CREATE TABLE "share_keys" (
	"user_id" text PRIMARY KEY NOT NULL,
	"auth" text NOT NULL,
	"recovery" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "share_keys" ADD CONSTRAINT "share_keys_user_id_wallets_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."wallets"("user_id") ON DELETE cascade ON UPDATE no action;