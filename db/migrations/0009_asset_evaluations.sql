CREATE TABLE `asset_evaluations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`asset_class` text NOT NULL,
	`category` text NOT NULL,
	`attributes` text NOT NULL,
	`brand_id` text,
	`language` text NOT NULL,
	`run` integer NOT NULL,
	`planned` integer NOT NULL,
	`judged` integer NOT NULL,
	`score` real,
	`unit_credits` integer NOT NULL,
	`reserved_credits` integer NOT NULL,
	`cost_credits` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_evaluations_workspace` ON `asset_evaluations` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `asset_scores` (
	`evaluation_id` text NOT NULL,
	`run` integer NOT NULL,
	`position` integer NOT NULL,
	`asset_id` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`score` integer,
	`explanation` text,
	`quotes` text NOT NULL,
	`attributes` text NOT NULL,
	`dropped_quotes` integer NOT NULL,
	`scorer` text,
	`finished_at` integer,
	PRIMARY KEY(`evaluation_id`, `run`, `position`),
	FOREIGN KEY (`evaluation_id`) REFERENCES `asset_evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_scores_asset` ON `asset_scores` (`asset_id`);--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `evaluation_id` text;