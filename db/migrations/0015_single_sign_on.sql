CREATE TABLE `external_identities` (
	`organization_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `issuer`, `subject`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `external_identities_user` ON `external_identities` (`user_id`,`organization_id`);--> statement-breakpoint
CREATE TABLE `sso_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`browser_hash` text,
	`initiated_by` text NOT NULL,
	`relay_path` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sso_codes_expiry` ON `sso_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sso_configurations` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`protocol` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text,
	`sealed_client_secret` text,
	`scopes` text NOT NULL,
	`sign_in_url` text,
	`certificates` text NOT NULL,
	`email_claim` text NOT NULL,
	`name_claim` text NOT NULL,
	`groups_claim` text NOT NULL,
	`trusts_email` integer NOT NULL,
	`allowed_domains` text NOT NULL,
	`makes_accounts` integer NOT NULL,
	`default_role` text NOT NULL,
	`group_roles` text NOT NULL,
	`accepts_idp_initiated` integer NOT NULL,
	`is_required` integer NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sso_logins` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`browser_hash` text NOT NULL,
	`request_id` text,
	`initiated_by` text NOT NULL,
	`relay_path` text NOT NULL,
	`for_program` integer NOT NULL,
	`loopback_uri` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sso_logins_expiry` ON `sso_logins` (`expires_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_token_families` (
	`id` text PRIMARY KEY NOT NULL,
	`api_key_id` text,
	`user_id` text,
	`signed_in_through` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`signed_in_through`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_token_families`("id", "api_key_id", "user_id", "signed_in_through", "created_at", "expires_at", "revoked_at") SELECT "id", "api_key_id", NULL, NULL, "created_at", "expires_at", "revoked_at" FROM `token_families`;--> statement-breakpoint
DROP TABLE `token_families`;--> statement-breakpoint
ALTER TABLE `__new_token_families` RENAME TO `token_families`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `token_families_user` ON `token_families` (`user_id`);