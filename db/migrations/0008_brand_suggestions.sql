CREATE TABLE `brand_suggestions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`text` text NOT NULL,
	`folded` text NOT NULL,
	`lead` text,
	`occurrences` integer NOT NULL,
	`confidence` real NOT NULL,
	`signals` text NOT NULL,
	`examples` text NOT NULL,
	`status` text NOT NULL,
	`listed` integer NOT NULL,
	`brand_id` text,
	`merged_alias` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brand_suggestions_name` ON `brand_suggestions` (`workspace_id`,`folded`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_occurrences` ON `brand_suggestions` (`workspace_id`,`occurrences`,`id`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_confidence` ON `brand_suggestions` (`workspace_id`,`confidence`,`id`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_brand` ON `brand_suggestions` (`brand_id`);--> statement-breakpoint
CREATE TABLE `name_sightings` (
	`workspace_id` text NOT NULL,
	`collect_id` text NOT NULL,
	`folded` text NOT NULL,
	`text` text NOT NULL,
	`answers` integer NOT NULL,
	`alone` integer NOT NULL,
	`leads` text NOT NULL,
	`signals` text NOT NULL,
	`sources` text NOT NULL,
	`examples` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `folded`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `name_sightings_name` ON `name_sightings` (`workspace_id`,`folded`,`collect_id`);