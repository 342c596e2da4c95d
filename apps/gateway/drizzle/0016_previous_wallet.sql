ALTER TABLE "auth_shares" DROP CONSTRAINT "auth_shares_user_id_wallets_user_id_fk";--> statement-breakpoint
ALTER TABLE "recovery_shares" DROP CONSTRAINT "recovery_shares_auth_shares_fk";--> statement-breakpoint
ALTER TABLE "share_keys" DROP CONSTRAINT "share_keys_user_id_wallets_user_id_fk";--> statement-breakpoint
ALTER TABLE "auth_shares" DROP CONSTRAINT "auth_shares_user_id_device_id_pk";--> statement-breakpoint
ALTER TABLE "recovery_shares" DROP CONSTRAINT "recovery_shares_user_id_device_id_pk";--> statement-breakpoint
ALTER TABLE "share_keys" DROP CONSTRAINT "share_keys_pkey";--> statement-breakpoint
ALTER TABLE "wallets" DROP CONSTRAINT "wallets_pkey";--> statement-breakpoint
ALTER TABLE "auth_shares" ADD COLUMN "is_previous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "recovery_shares" ADD COLUMN "is_previous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "share_keys" ADD COLUMN "is_previous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "is_previous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "replaces" jsonb;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "is_exposed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "auth_shares" ADD CONSTRAINT "auth_shares_user_id_is_previous_device_id_pk" PRIMARY KEY("user_id","is_previous","device_id");--> statement-breakpoint
ALTER TABLE "recovery_shares" ADD CONSTRAINT "recovery_shares_user_id_is_previous_device_id_pk" PRIMARY KEY("user_id","is_previous","device_id");--> statement-breakpoint
ALTER TABLE "share_keys" ADD CONSTRAINT "share_keys_user_id_is_previous_pk" PRIMARY KEY("user_id","is_previous");--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_is_previous_pk" PRIMARY KEY("user_id","is_previous");--> statement-breakpoint
ALTER TABLE "auth_shares" ADD CONSTRAINT "auth_shares_wallets_fk" FOREIGN KEY ("user_id","is_previous") REFERENCES "public"."wallets"("user_id","is_previous") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "recovery_shares" ADD CONSTRAINT "recovery_shares_auth_shares_fk" FOREIGN KEY ("user_id","is_previous","device_id") REFERENCES "public"."auth_shares"("user_id","is_previous","device_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "share_keys" ADD CONSTRAINT "share_keys_wallets_fk" FOREIGN KEY ("user_id","is_previous") REFERENCES "public"."wallets"("user_id","is_previous") ON DELETE cascade ON UPDATE cascade;