CREATE TABLE `scim_group_members` (
	`group_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`scim_user_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `scim_user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `scim_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`scim_user_id`) REFERENCES `scim_users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_group_members_user` ON `scim_group_members` (`scim_user_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`external_id` text,
	`display_name` text NOT NULL,
	`display_name_key` text NOT NULL,
	`organization_role` text,
	`workspace_id` text,
	`workspace_role` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_groups_organization` ON `scim_groups` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `scim_groups_name` ON `scim_groups` (`organization_id`,`display_name_key`);--> statement-breakpoint
CREATE INDEX `scim_groups_external` ON `scim_groups` (`organization_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `scim_tokens_organization` ON `scim_tokens` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `scim_users` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`external_id` text,
	`user_name` text NOT NULL,
	`user_name_key` text NOT NULL,
	`details` text NOT NULL,
	`base_role` text NOT NULL,
	`given_role` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_user` ON `scim_users` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_name` ON `scim_users` (`organization_id`,`user_name_key`);--> statement-breakpoint
CREATE INDEX `scim_users_external` ON `scim_users` (`organization_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `scim_users_organization` ON `scim_users` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `scim_workspace_roles` (
	`scim_user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`given_role` text NOT NULL,
	`base_role` text,
	PRIMARY KEY(`scim_user_id`, `workspace_id`),
	FOREIGN KEY (`scim_user_id`) REFERENCES `scim_users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
