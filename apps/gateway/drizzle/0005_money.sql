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
	"slot" integer NOT NULL,
	"attributes" jsonb NOT NULL,
	"registered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "names_label" CHECK ("names"."label" ~ '^[a-z0-9-]{4,63}$')
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "analytics" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_counts" ADD CONSTRAINT "analytics_counts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_events" ADD CONSTRAINT "analytics_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_events_once" ON "analytics_events" USING btree ("project_id","event_id");--> statement-breakpoint
CREATE INDEX "analytics_events_received" ON "analytics_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "names_slot" ON "names" USING btree ("address","coin_type","slot");