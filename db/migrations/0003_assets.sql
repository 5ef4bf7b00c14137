CREATE TABLE `asset_texts` (
	`asset_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`type` text NOT NULL,
	`media_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`has_file` integer NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`word_count` integer,
	`text_length` integer,
	`excerpt` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `assets_workspace` ON `assets` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `assets_organization` ON `assets` (`organization_id`,`status`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `assets_file` ON `assets` (`sha256`,`has_file`);--> statement-breakpoint
CREATE TABLE `file_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_holds_file` ON `file_holds` (`sha256`);--> statement-breakpoint
CREATE INDEX `file_holds_age` ON `file_holds` (`created_at`);