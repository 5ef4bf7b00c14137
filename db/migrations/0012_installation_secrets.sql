CREATE TABLE `installation_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed_value` text NOT NULL,
	`created_at` integer NOT NULL
);
