ALTER TABLE "recoveries" DROP CONSTRAINT "recoveries_pkey";--> statement-breakpoint
ALTER TABLE "recoveries" ADD COLUMN "id" text PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE INDEX "recoveries_device" ON "recoveries" USING btree ("device_id");
