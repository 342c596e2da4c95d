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
CREATE TABLE "codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"scope" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"used_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"subject_hash" text,
	"project_id" text,
	"is_restoring" boolean DEFAULT false NOT NULL,
	"recoveries_seen_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"user_id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"new_email" text NOT NULL,
	"primary_verified_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_flows" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"email_hash" text NOT NULL,
	"email" text NOT NULL,
	"device_token_hash" text NOT NULL,
	"site" text,
	"region" text,
	"link_hash" text,
	"approved_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_flows_link_hash_unique" UNIQUE("link_hash")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"allowed_origins" text[] DEFAULT '{}' NOT NULL,
	"default_ancestors" boolean DEFAULT true NOT NULL,
	"features" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"analytics" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"analytics_days" integer,
	"wallet_connect_project_id" text,
	"recovery_wait_hours" integer DEFAULT 0 NOT NULL,
	"sign_in_chains" text[],
	"recovery" text DEFAULT 'any' NOT NULL,
	"recovery_choice" text DEFAULT 'later' NOT NULL,
	"approvals" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"mail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"look" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"mail_texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"full_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"device_id" text NOT NULL,
	"project_id" text NOT NULL,
	"key_thumbprint" text,
	"is_restoring" boolean DEFAULT false NOT NULL,
	"signed_in_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"subject_hash" text NOT NULL,
	"email" text,
	"user_name" text,
	"blocked_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_shares" (
	"user_id" text NOT NULL,
	"is_previous" boolean DEFAULT false NOT NULL,
	"device_id" text NOT NULL,
	"device_name" text NOT NULL,
	"sealed" text NOT NULL,
	"proof_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "auth_shares_user_id_is_previous_device_id_pk" PRIMARY KEY("user_id","is_previous","device_id")
);
--> statement-breakpoint
CREATE TABLE "recoveries" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"device_id" text NOT NULL,
	"user_id" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"opens_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"session_id" text
);
--> statement-breakpoint
CREATE TABLE "recovery_shares" (
	"user_id" text NOT NULL,
	"is_previous" boolean DEFAULT false NOT NULL,
	"device_id" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "recovery_shares_user_id_is_previous_device_id_pk" PRIMARY KEY("user_id","is_previous","device_id")
);
--> statement-breakpoint
CREATE TABLE "share_keys" (
	"user_id" text NOT NULL,
	"is_previous" boolean DEFAULT false NOT NULL,
	"auth" text NOT NULL,
	"recovery" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "share_keys_user_id_is_previous_pk" PRIMARY KEY("user_id","is_previous")
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
CREATE TABLE "wallet_ends" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_hash" text NOT NULL,
	"subject_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"user_id" text NOT NULL,
	"is_previous" boolean DEFAULT false NOT NULL,
	"eip155" text NOT NULL,
	"solana" text NOT NULL,
	"bip122" text NOT NULL,
	"recovery" jsonb NOT NULL,
	"recovery_proof" jsonb,
	"address_proof" jsonb,
	"replaces" jsonb,
	"is_exposed" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallets_user_id_is_previous_pk" PRIMARY KEY("user_id","is_previous")
);
--> statement-breakpoint
CREATE TABLE "analytics_counts" (
	"project_id" text NOT NULL,
	"day" text NOT NULL,
	"event" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "analytics_counts_project_id_day_event_pk" PRIMARY KEY("project_id","day","event")
);
--> statement-breakpoint
CREATE TABLE "analytics_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "analytics_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"event" text NOT NULL,
	"origin" text NOT NULL,
	"properties" jsonb NOT NULL,
	"address" text,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "names" (
	"label" text PRIMARY KEY NOT NULL,
	"coin_type" integer NOT NULL,
	"address" text NOT NULL,
	"chain_id" text,
	"slot" integer,
	"attributes" jsonb NOT NULL,
	"registered_at" timestamp with time zone NOT NULL,
	"released_at" timestamp with time zone,
	CONSTRAINT "names_label" CHECK ("names"."label" ~ '^[a-z0-9-]{4,63}$'),
	CONSTRAINT "names_released" CHECK (("names"."slot" is null) = ("names"."released_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "siwx_keys" (
	"generation" integer PRIMARY KEY NOT NULL,
	"kid" text NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"signs_from" timestamp with time zone NOT NULL,
	"signs_until" timestamp with time zone NOT NULL,
	CONSTRAINT "siwx_keys_kid_unique" UNIQUE("kid")
);
--> statement-breakpoint
CREATE TABLE "siwx_nonces" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "siwx_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "siwx_revoked" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"target" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"grants" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_shares" ADD CONSTRAINT "auth_shares_wallets_fk" FOREIGN KEY ("user_id","is_previous") REFERENCES "public"."wallets"("user_id","is_previous") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_shares" ADD CONSTRAINT "recovery_shares_auth_shares_fk" FOREIGN KEY ("user_id","is_previous","device_id") REFERENCES "public"."auth_shares"("user_id","is_previous","device_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "share_keys" ADD CONSTRAINT "share_keys_wallets_fk" FOREIGN KEY ("user_id","is_previous") REFERENCES "public"."wallets"("user_id","is_previous") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "share_proofs" ADD CONSTRAINT "share_proofs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_counts" ADD CONSTRAINT "analytics_counts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_events" ADD CONSTRAINT "analytics_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_changes_former" ON "address_changes" USING btree ("former_hash");--> statement-breakpoint
CREATE INDEX "address_changes_end" ON "address_changes" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "codes_scope" ON "codes" USING btree ("scope");--> statement-breakpoint
CREATE INDEX "codes_expiry" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_token" ON "devices" USING btree ("user_id","token_hash") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "devices_token_hash" ON "devices" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "email_flows_device" ON "email_flows" USING btree ("email_hash","device_token_hash");--> statement-breakpoint
CREATE INDEX "email_flows_expiry" ON "email_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_full" ON "rate_limits" USING btree ("full_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_identity" ON "users" USING btree ("provider","subject_hash");--> statement-breakpoint
CREATE INDEX "recoveries_user" ON "recoveries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recoveries_device" ON "recoveries" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "social_flows_state" ON "social_flows" USING btree ("state_hash");--> statement-breakpoint
CREATE INDEX "social_flows_expiry" ON "social_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "wallet_ends_device" ON "wallet_ends" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "wallet_ends_age" ON "wallet_ends" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_events_once" ON "analytics_events" USING btree ("project_id","event_id");--> statement-breakpoint
CREATE INDEX "analytics_events_received" ON "analytics_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "names_slot" ON "names" USING btree ("address","coin_type","slot");--> statement-breakpoint
CREATE INDEX "siwx_nonces_expiry" ON "siwx_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwx_proofs_expiry" ON "siwx_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwx_revoked_expiry" ON "siwx_revoked" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target");--> statement-breakpoint
CREATE FUNCTION "audit_log_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit_log is append-only'; END $$;--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_log_is_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only_whole" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "audit_log_is_append_only"();
