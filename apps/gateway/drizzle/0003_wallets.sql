CREATE TABLE "auth_shares" (
	"user_id" text NOT NULL,
	"device_id" text NOT NULL,
	"device_name" text NOT NULL,
	"sealed" text NOT NULL,
	"proof_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "auth_shares_user_id_device_id_pk" PRIMARY KEY("user_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_shares" (
	"user_id" text NOT NULL,
	"device_id" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "recovery_shares_user_id_device_id_pk" PRIMARY KEY("user_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "share_proofs" (
	"user_id" text NOT NULL,
	"text_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "share_proofs_user_id_text_hash_pk" PRIMARY KEY("user_id","text_hash")
);
--> statement-breakpoint
CREATE TABLE "social_flows" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"provider" text NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"failure" text,
	"claim_hash" text NOT NULL,
	"state_hash" text,
	"cookie_hash" text,
	"ticket_hash" text,
	"code_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"user_id" text PRIMARY KEY NOT NULL,
	"eip155" text NOT NULL,
	"solana" text NOT NULL,
	"bip122" text NOT NULL,
	"recovery" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth_shares" ADD CONSTRAINT "auth_shares_user_id_wallets_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."wallets"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_shares" ADD CONSTRAINT "recovery_shares_auth_shares_fk" FOREIGN KEY ("user_id","device_id") REFERENCES "public"."auth_shares"("user_id","device_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_proofs" ADD CONSTRAINT "share_proofs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "social_flows_state" ON "social_flows" USING btree ("state_hash");--> statement-breakpoint
CREATE INDEX "social_flows_expiry" ON "social_flows" USING btree ("expires_at");