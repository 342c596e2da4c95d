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
CREATE INDEX "siwx_nonces_expiry" ON "siwx_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwx_proofs_expiry" ON "siwx_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwx_revoked_expiry" ON "siwx_revoked" USING btree ("expires_at");