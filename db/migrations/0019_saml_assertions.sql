CREATE TABLE `saml_assertions` (
	`organization_id` text NOT NULL,
	`assertion_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `assertion_hash`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saml_assertions_expiry` ON `saml_assertions` (`expires_at`);