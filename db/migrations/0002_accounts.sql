CREATE TABLE `address_proofs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`way` text NOT NULL,
	`organization_id` text,
	`proven_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `address_proofs_user` ON `address_proofs` (`user_id`,`proven_at`);--> statement-breakpoint
CREATE TABLE `account_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`organization_id` text,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_notices_user` ON `account_notices` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `held_forms` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`path` text NOT NULL,
	`sealed_fields` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `held_forms_expiry` ON `held_forms` (`expires_at`);--> statement-breakpoint
CREATE TABLE `factor_challenges` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`challenge` text NOT NULL,
	`next` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `factor_challenges_expiry` ON `factor_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`is_backed_up` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `verified_by` text;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `looked_up_at` integer;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `next_lookup_at` integer;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `failed_lookups` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `warned_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `proof_id` text REFERENCES address_proofs(id);--> statement-breakpoint
ALTER TABLE `oauth_records` ADD `proof_id` text REFERENCES address_proofs(id);--> statement-breakpoint
ALTER TABLE `organization_members` ADD `joined_through` text REFERENCES organizations(id);--> statement-breakpoint
ALTER TABLE `organizations` ADD `owners_need_second_factor` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `token_families` ADD `proof_id` text REFERENCES address_proofs(id);--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_at` integer;--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `proof_id` text REFERENCES address_proofs(id);--> statement-breakpoint
ALTER TABLE `sso_codes` ADD `proof_id` text REFERENCES address_proofs(id);--> statement-breakpoint
INSERT INTO `address_proofs` (`id`, `user_id`, `email`, `way`, `organization_id`, `proven_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), `u`.`id`, `u`.`email`, 'local',
	(SELECT `i`.`organization_id` FROM `invitations` `i` WHERE `i`.`accepted_by` = `u`.`id` AND `i`.`accepted_at` = `u`.`created_at` LIMIT 1),
	`u`.`created_at`
FROM `users` `u`
WHERE `u`.`password_hash` IS NOT NULL
	OR EXISTS (SELECT 1 FROM `web_sessions` `c` WHERE `c`.`user_id` = `u`.`id` AND `c`.`signed_in_through` IS NULL)
	OR EXISTS (SELECT 1 FROM `api_keys` `c` WHERE `c`.`user_id` = `u`.`id` AND `c`.`signed_in_through` IS NULL)
	OR EXISTS (SELECT 1 FROM `oauth_records` `c` WHERE `c`.`account_id` = `u`.`id` AND `c`.`model` = 'Grant' AND `c`.`signed_in_through` IS NULL);
--> statement-breakpoint
INSERT INTO `address_proofs` (`id`, `user_id`, `email`, `way`, `organization_id`, `proven_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), `u`.`id`, `u`.`email`, 'provider', `c`.`organization_id`, `u`.`created_at`
FROM (
	SELECT `user_id`, `organization_id` FROM `external_identities`
	UNION SELECT `user_id`, `signed_in_through` FROM `web_sessions` WHERE `signed_in_through` IS NOT NULL
	UNION SELECT `user_id`, `signed_in_through` FROM `api_keys` WHERE `signed_in_through` IS NOT NULL
	UNION SELECT `user_id`, `signed_in_through` FROM `token_families` WHERE `signed_in_through` IS NOT NULL AND `user_id` IS NOT NULL
	UNION SELECT `account_id`, `signed_in_through` FROM `oauth_records` WHERE `signed_in_through` IS NOT NULL AND `model` = 'Grant'
) `c` INNER JOIN `users` `u` ON `u`.`id` = `c`.`user_id`;
--> statement-breakpoint
INSERT INTO `address_proofs` (`id`, `user_id`, `email`, `way`, `organization_id`, `proven_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-7' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), `u`.`id`, `u`.`email`, 'directory', `s`.`organization_id`, `s`.`created_at`
FROM `scim_users` `s` INNER JOIN `users` `u` ON `u`.`id` = `s`.`user_id`;
--> statement-breakpoint
UPDATE `web_sessions` SET `proof_id` = (
	SELECT `p`.`id` FROM `address_proofs` `p` WHERE `p`.`user_id` = `web_sessions`.`user_id`
		AND `p`.`way` = CASE WHEN `signed_in_through` IS NULL THEN 'local' ELSE 'provider' END
		AND (`signed_in_through` IS NULL OR `p`.`organization_id` = `signed_in_through`)
) WHERE `user_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `api_keys` SET `proof_id` = (
	SELECT `p`.`id` FROM `address_proofs` `p` WHERE `p`.`user_id` = `api_keys`.`user_id`
		AND `p`.`way` = CASE WHEN `signed_in_through` IS NULL THEN 'local' ELSE 'provider' END
		AND (`signed_in_through` IS NULL OR `p`.`organization_id` = `signed_in_through`)
) WHERE `user_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `token_families` SET `proof_id` = (
	SELECT `p`.`id` FROM `address_proofs` `p` WHERE `p`.`user_id` = `token_families`.`user_id`
		AND `p`.`way` = CASE WHEN `signed_in_through` IS NULL THEN 'local' ELSE 'provider' END
		AND (`signed_in_through` IS NULL OR `p`.`organization_id` = `signed_in_through`)
) WHERE `user_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `oauth_records` SET `proof_id` = (
	SELECT `p`.`id` FROM `address_proofs` `p` WHERE `p`.`user_id` = `oauth_records`.`account_id`
		AND `p`.`way` = CASE WHEN `signed_in_through` IS NULL THEN 'local' ELSE 'provider' END
		AND (`signed_in_through` IS NULL OR `p`.`organization_id` = `signed_in_through`)
) WHERE `account_id` IS NOT NULL AND `model` = 'Grant';
--> statement-breakpoint
UPDATE `organization_members` SET `joined_through` = (
	SELECT `u`.`managed_by_organization_id` FROM `users` `u`
	WHERE `u`.`id` = `organization_members`.`user_id` AND `u`.`password_hash` IS NULL
		AND `u`.`managed_by_organization_id` <> `organization_members`.`organization_id`
);
--> statement-breakpoint
UPDATE `organization_domains` SET `verified_by` = 'dns', `next_lookup_at` = `verified_at` + 604800000 WHERE `verified_at` IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `__new_api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`workspace_id` text,
	`role` text,
	`proof_id` text,
	`made_with_key_id` text,
	`rotated_to_id` text,
	`key_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proof_id`) REFERENCES `address_proofs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_api_keys`("id", "kind", "name", "user_id", "organization_id", "workspace_id", "role", "proof_id", "made_with_key_id", "rotated_to_id", "key_hash", "hint", "created_at", "expires_at", "last_used_at", "revoked_at") SELECT "id", "kind", "name", "user_id", "organization_id", "workspace_id", "role", "proof_id", "made_with_key_id", "rotated_to_id", "key_hash", "hint", "created_at", "expires_at", "last_used_at", "revoked_at" FROM `api_keys`;--> statement-breakpoint
DROP TABLE `api_keys`;--> statement-breakpoint
ALTER TABLE `__new_api_keys` RENAME TO `api_keys`;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_id`);--> statement-breakpoint
CREATE TABLE `__new_oauth_records` (
	`model` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`uid` text,
	`account_id` text,
	`client_id` text,
	`note` text,
	`proof_id` text,
	`created_at` integer NOT NULL,
	`consumed_at` integer,
	`expires_at` integer,
	`first_used_at` integer,
	`last_used_at` integer,
	PRIMARY KEY(`model`, `id`),
	FOREIGN KEY (`proof_id`) REFERENCES `address_proofs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_oauth_records`("model", "id", "payload", "grant_id", "uid", "account_id", "client_id", "note", "proof_id", "created_at", "consumed_at", "expires_at", "first_used_at", "last_used_at") SELECT "model", "id", "payload", "grant_id", "uid", "account_id", "client_id", "note", "proof_id", "created_at", "consumed_at", "expires_at", "first_used_at", "last_used_at" FROM `oauth_records`;--> statement-breakpoint
DROP TABLE `oauth_records`;--> statement-breakpoint
ALTER TABLE `__new_oauth_records` RENAME TO `oauth_records`;--> statement-breakpoint
CREATE INDEX `oauth_records_grant` ON `oauth_records` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_uid` ON `oauth_records` (`uid`);--> statement-breakpoint
CREATE INDEX `oauth_records_account` ON `oauth_records` (`account_id`,`model`);--> statement-breakpoint
CREATE INDEX `oauth_records_expiry` ON `oauth_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `__new_token_families` (
	`id` text PRIMARY KEY NOT NULL,
	`api_key_id` text,
	`user_id` text,
	`proof_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proof_id`) REFERENCES `address_proofs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_token_families`("id", "api_key_id", "user_id", "proof_id", "created_at", "expires_at", "revoked_at") SELECT "id", "api_key_id", "user_id", "proof_id", "created_at", "expires_at", "revoked_at" FROM `token_families`;--> statement-breakpoint
DROP TABLE `token_families`;--> statement-breakpoint
ALTER TABLE `__new_token_families` RENAME TO `token_families`;--> statement-breakpoint
CREATE INDEX `token_families_user` ON `token_families` (`user_id`);--> statement-breakpoint
CREATE TABLE `__new_web_sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`id` text DEFAULT '' NOT NULL,
	`user_id` text NOT NULL,
	`proof_id` text,
	`browser` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proof_id`) REFERENCES `address_proofs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_web_sessions`("id_hash", "id", "user_id", "proof_id", "browser", "created_at", "last_used_at", "expires_at") SELECT "id_hash", "id", "user_id", "proof_id", "browser", "created_at", "last_used_at", "expires_at" FROM `web_sessions`;--> statement-breakpoint
DROP TABLE `web_sessions`;--> statement-breakpoint
ALTER TABLE `__new_web_sessions` RENAME TO `web_sessions`;--> statement-breakpoint
CREATE INDEX `web_sessions_expiry` ON `web_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `web_sessions_user` ON `web_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `web_sessions_id` ON `web_sessions` (`id`);--> statement-breakpoint
ALTER TABLE `token_families` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sso_codes` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sso_logins` ADD `again` integer DEFAULT false NOT NULL;
