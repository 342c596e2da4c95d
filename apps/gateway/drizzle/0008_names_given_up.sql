ALTER TABLE "names" ALTER COLUMN "slot" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "names" ADD COLUMN "chain_id" text;--> statement-breakpoint
ALTER TABLE "names" ADD COLUMN "released_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "names" ADD CONSTRAINT "names_released" CHECK (("names"."slot" is null) = ("names"."released_at" is not null));