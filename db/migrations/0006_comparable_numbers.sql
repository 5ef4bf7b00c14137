-- What was summed is summed anew from the answers, which are read again after the start: no sum of before has the columns of now.
ALTER TABLE `brands` ADD `number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `brands` ADD `archived_at` integer;--> statement-breakpoint
UPDATE `brands` SET `number` = `numbered`.`n`
FROM (SELECT `id`, row_number() OVER (PARTITION BY `workspace_id` ORDER BY `id`) AS `n` FROM `brands`) AS `numbered`
WHERE `numbered`.`id` = `brands`.`id`;
--> statement-breakpoint
CREATE UNIQUE INDEX `brands_number` ON `brands` (`workspace_id`,`number`);--> statement-breakpoint
CREATE TABLE `catalog_events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`version` integer NOT NULL,
	`change` text NOT NULL,
	`brands` integer NOT NULL,
	`brand_id` text NOT NULL,
	`by` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `catalog_events_workspace` ON `catalog_events` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `collects` ADD `summed_version` text;--> statement-breakpoint
ALTER TABLE `collects` ADD `published_version` text;--> statement-breakpoint
ALTER TABLE `collects` ADD `ways` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `is_imported` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `part_of` text;--> statement-breakpoint
UPDATE `collects` SET `is_imported` = true WHERE `id` IN (SELECT `collect_id` FROM `imports`)
	OR EXISTS (SELECT 1 FROM `answers` WHERE `answers`.`collect_id` = `collects`.`id` AND `answers`.`job_id` IS NULL);
--> statement-breakpoint
CREATE TABLE `answer_keys` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`base` integer NOT NULL,
	`next` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `answer_keys_base_unique` ON `answer_keys` (`base`);--> statement-breakpoint
INSERT INTO `answer_keys` (`workspace_id`, `base`, `next`)
SELECT `workspace_id`, (row_number() OVER (ORDER BY `workspace_id`) - 1) * 2147483648, 0 FROM (SELECT DISTINCT `workspace_id` FROM `answers`);
--> statement-breakpoint
CREATE TABLE `__new_answers` (
	`key` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`collect_id` text NOT NULL,
	`job_id` text,
	`question_id` text NOT NULL,
	`source` text NOT NULL,
	`run` integer NOT NULL,
	`prompt` text NOT NULL,
	`text` text NOT NULL,
	`results` text NOT NULL,
	`raw_body` text NOT NULL,
	`provider` text NOT NULL,
	`model` text,
	`locale` text NOT NULL,
	`collection_method` text NOT NULL,
	`cost_credits` integer NOT NULL,
	`cost_usd` real,
	`collected_at` integer NOT NULL,
	`is_shown` integer NOT NULL,
	`is_informative` integer NOT NULL,
	`reading_version` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`question_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_answers` (`key`, `id`, `organization_id`, `workspace_id`, `analysis_id`, `collect_id`, `job_id`, `question_id`, `source`, `run`, `prompt`, `text`, `results`, `raw_body`, `provider`, `model`, `locale`, `collection_method`, `cost_credits`, `cost_usd`, `collected_at`, `is_shown`, `is_informative`, `reading_version`)
SELECT `answer_keys`.`base` + row_number() OVER (PARTITION BY `answers`.`workspace_id` ORDER BY `answers`.`id`) - 1, `answers`.`id`, `answers`.`organization_id`, `answers`.`workspace_id`, `answers`.`analysis_id`, `answers`.`collect_id`, `answers`.`job_id`, `answers`.`question_id`, `answers`.`source`, `answers`.`run`, `answers`.`prompt`, `answers`.`text`, `answers`.`results`, `answers`.`raw_body`, `answers`.`provider`, `answers`.`model`, `answers`.`locale`, `answers`.`collection_method`, `answers`.`cost_credits`, `answers`.`cost_usd`, `answers`.`collected_at`,
	trim(`answers`.`text`) <> '' OR `answers`.`source` IN ('SEARCH_A', 'SEARCH_B'), `answers`.`eligible`, `answers`.`reading_version`
FROM `answers` INNER JOIN `answer_keys` ON `answer_keys`.`workspace_id` = `answers`.`workspace_id`
ORDER BY `answers`.`workspace_id`, `answers`.`id`;--> statement-breakpoint
UPDATE `answer_keys` SET `next` = coalesce((
	SELECT max(`key`) + 1 - `base` FROM `__new_answers` WHERE `__new_answers`.`workspace_id` = `answer_keys`.`workspace_id`
), 0);
--> statement-breakpoint
CREATE UNIQUE INDEX `__new_answers_id` ON `__new_answers` (`id`);--> statement-breakpoint
CREATE TABLE `__new_mentions` (
	`answer_key` integer NOT NULL,
	`start` integer NOT NULL,
	`brand_number` integer NOT NULL,
	`end` integer NOT NULL,
	`alias` text NOT NULL,
	PRIMARY KEY(`answer_key`, `start`, `brand_number`),
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_mentions` (`answer_key`, `start`, `brand_number`, `end`, `alias`)
SELECT `__new_answers`.`key`, `mentions`.`start`, `brands`.`number`, `mentions`.`end`, `mentions`.`alias` FROM `mentions`
	INNER JOIN `__new_answers` ON `__new_answers`.`id` = `mentions`.`answer_id` INNER JOIN `brands` ON `brands`.`id` = `mentions`.`brand_id`;--> statement-breakpoint
DROP TABLE `mentions`;--> statement-breakpoint
ALTER TABLE `__new_mentions` RENAME TO `mentions`;--> statement-breakpoint
CREATE TABLE `__new_places` (
	`answer_key` integer NOT NULL,
	`brand_number` integer NOT NULL,
	`rank` integer NOT NULL,
	`brand_rank` integer NOT NULL,
	`mentions` integer NOT NULL,
	`url` text,
	PRIMARY KEY(`answer_key`, `brand_number`),
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_places` (`answer_key`, `brand_number`, `rank`, `brand_rank`, `mentions`, `url`)
SELECT `__new_answers`.`key`, `brands`.`number`, `places`.`rank`, `places`.`rank`, `places`.`mentions`, `places`.`url` FROM `places`
	INNER JOIN `__new_answers` ON `__new_answers`.`id` = `places`.`answer_id` INNER JOIN `brands` ON `brands`.`id` = `places`.`brand_id`;--> statement-breakpoint
DROP TABLE `places`;--> statement-breakpoint
ALTER TABLE `__new_places` RENAME TO `places`;--> statement-breakpoint
CREATE TABLE `__new_citations` (
	`answer_key` integer NOT NULL,
	`position` integer NOT NULL,
	`is_cited` integer DEFAULT true NOT NULL,
	`url` text NOT NULL,
	`title` text,
	`domain` text NOT NULL,
	`competitor_type` text NOT NULL,
	`brand_number` integer,
	PRIMARY KEY(`answer_key`, `position`),
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_citations` (`answer_key`, `position`, `url`, `title`, `domain`, `competitor_type`, `brand_number`)
SELECT `__new_answers`.`key`, `citations`.`position`, `citations`.`url`, `citations`.`title`, `citations`.`domain`, `citations`.`competitor_type`, `brands`.`number` FROM `citations`
	INNER JOIN `__new_answers` ON `__new_answers`.`id` = `citations`.`answer_id` LEFT JOIN `brands` ON `brands`.`id` = `citations`.`brand_id`;--> statement-breakpoint
DROP TABLE `citations`;--> statement-breakpoint
ALTER TABLE `__new_citations` RENAME TO `citations`;--> statement-breakpoint
CREATE TABLE `queries` (
	`answer_key` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`answer_key`, `position`),
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
DROP TABLE `answers`;--> statement-breakpoint
DROP INDEX `__new_answers_id`;--> statement-breakpoint
ALTER TABLE `__new_answers` RENAME TO `answers`;--> statement-breakpoint
CREATE UNIQUE INDEX `answers_id` ON `answers` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `answers_question` ON `answers` (`collect_id`,`question_id`,`source`,`run`,`collection_method`);--> statement-breakpoint
CREATE INDEX `answers_analysis` ON `answers` (`analysis_id`,`id`,`collect_id`,`question_id`,`source`,`is_informative`);--> statement-breakpoint
CREATE INDEX `answers_collect` ON `answers` (`collect_id`,`id`);--> statement-breakpoint
CREATE INDEX `answers_of_question` ON `answers` (`question_id`,`id`);--> statement-breakpoint
DROP TABLE `brand_rollups`;--> statement-breakpoint
DROP TABLE `collect_totals`;--> statement-breakpoint
DROP TABLE `cited_pages`;--> statement-breakpoint
DROP TABLE `collect_facts`;--> statement-breakpoint
DROP TABLE `keyword_channels`;--> statement-breakpoint
CREATE TABLE `collect_sums` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`keyword_class` text NOT NULL,
	`answers` integer NOT NULL,
	`sums` blob NOT NULL,
	`published` blob,
	PRIMARY KEY(`collect_id`, `source`, `method`, `keyword_class`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `collect_links` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`holds` text NOT NULL,
	`part` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`, `holds`, `part`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `collect_facts` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`digest` text NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `keyword_channels` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`channels` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `analysis_setups` ADD `prompts` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `prompt_kind` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `country` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `asked_brand_id` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `other_brand_id` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `look_alike` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `attribute` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `asks_pros_cons` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `questions` ADD `tag` text;--> statement-breakpoint
ALTER TABLE `questions` ADD `template` text;--> statement-breakpoint
CREATE TABLE `brand_facts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`brand_id` text NOT NULL,
	`attribute` text NOT NULL,
	`attribute_folded` text NOT NULL,
	`value` text NOT NULL,
	`source_url` text,
	`as_of` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brand_facts_attribute` ON `brand_facts` (`brand_id`,`attribute_folded`);--> statement-breakpoint
CREATE INDEX `brand_facts_workspace` ON `brand_facts` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE TABLE `awareness` (
	`answer_key` integer PRIMARY KEY NOT NULL,
	`verdict` text NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `collect_awareness` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`digest` text NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `collect_perception` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`digest` text NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `perceptions` (
	`answer_key` integer PRIMARY KEY NOT NULL,
	`spans` text NOT NULL,
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `claims` (
	`collect_id` text NOT NULL,
	`answer_key` integer NOT NULL,
	`fact_id` text NOT NULL,
	`revision` integer NOT NULL,
	`verdict` text NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`url` text,
	PRIMARY KEY(`collect_id`, `answer_key`, `fact_id`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `collect_claims` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`method` text NOT NULL,
	`brand_number` integer NOT NULL,
	`held` text NOT NULL,
	`pages` text NOT NULL,
	`first_key` integer NOT NULL,
	`digest` text NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `method`, `brand_number`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `brand_facts` ADD `revision` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `answers` ADD `judged` text;
--> statement-breakpoint
CREATE TABLE `audit_findings` (
	`collect_id` text NOT NULL,
	`page_id` text NOT NULL,
	`findings` text NOT NULL,
	`address` text,
	PRIMARY KEY(`collect_id`, `page_id`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`page_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `audit_pages` (
	`collect_id` text NOT NULL,
	`page_id` text NOT NULL,
	`outcome` text NOT NULL,
	`skipped_reason` text,
	`title` text,
	`page_type` text,
	`type_confidence` real,
	`score` integer,
	`scores` text,
	`outcomes` text NOT NULL,
	`changes` text NOT NULL,
	`checks_version` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `page_id`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`page_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `audits` (
	`collect_id` text PRIMARY KEY NOT NULL,
	`analysis_id` text NOT NULL,
	`checks_version` integer NOT NULL,
	`is_simulated` integer NOT NULL,
	`site` text NOT NULL,
	`findings` text NOT NULL,
	`summary` text,
	`started_at` integer NOT NULL,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audits_analysis` ON `audits` (`analysis_id`,`collect_id`);--> statement-breakpoint
CREATE TABLE `__new_analyses` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`brand_id` text,
	`setup` text NOT NULL,
	`setup_version` integer DEFAULT 1 NOT NULL,
	`schedule` text NOT NULL,
	`ends_at` integer,
	`planned_collects` integer NOT NULL,
	`unit_credits` integer NOT NULL,
	`rounds_left` integer DEFAULT 0 NOT NULL,
	`round_credits` integer DEFAULT 0 NOT NULL,
	`next_collect_at` integer,
	`reckoned_at` integer,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_analyses`("id", "organization_id", "workspace_id", "type", "name", "status", "status_reason", "brand_id", "setup", "setup_version", "schedule", "ends_at", "planned_collects", "unit_credits", "rounds_left", "round_credits", "next_collect_at", "reckoned_at", "created_by", "created_at", "updated_at") SELECT "id", "organization_id", "workspace_id", "type", "name", "status", "status_reason", "brand_id", "setup", "setup_version", "schedule", "ends_at", "planned_collects", "unit_credits", "rounds_left", "round_credits", "next_collect_at", "reckoned_at", "created_by", "created_at", "updated_at" FROM `analyses`;--> statement-breakpoint
DROP TABLE `analyses`;--> statement-breakpoint
ALTER TABLE `__new_analyses` RENAME TO `analyses`;--> statement-breakpoint
CREATE INDEX `analyses_workspace` ON `analyses` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `analyses_due` ON `analyses` (`next_collect_at`);--> statement-breakpoint
CREATE INDEX `analyses_organization` ON `analyses` (`organization_id`,`id`);--> statement-breakpoint
ALTER TABLE `questions` ADD `page_type` text;
--> statement-breakpoint
CREATE TABLE `unread_bodies` (
	`job_id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unread_bodies_newest` ON `unread_bodies` (`provider`,`at`,`job_id`);--> statement-breakpoint
ALTER TABLE `jobs` ADD `submission` text;--> statement-breakpoint
ALTER TABLE `answers` ADD `products` text;--> statement-breakpoint
ALTER TABLE `answers` ADD `is_refusal` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `citations` ADD `spans` text;
--> statement-breakpoint
CREATE TABLE `excess_bills` (
	`provider` text NOT NULL,
	`source` text NOT NULL,
	`micros` integer NOT NULL,
	`bills` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`provider`, `source`)
);
--> statement-breakpoint
CREATE TABLE `spend_accounts` (
	`owner` text NOT NULL,
	`period` text NOT NULL,
	`spent` integer NOT NULL,
	`reserved` integer NOT NULL,
	PRIMARY KEY(`owner`, `period`)
);
--> statement-breakpoint
INSERT INTO `spend_accounts` SELECT 'provider:' || `provider`, `month`, CAST(`usd` * 1000000 + 0.5 AS INTEGER), 0 FROM `provider_spend`;
--> statement-breakpoint
CREATE TABLE `spend_reservations` (
	`job_id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`organization_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`day` text NOT NULL,
	`micros` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `source_spend` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`source` text NOT NULL,
	`usd` real NOT NULL,
	`answers` integer NOT NULL,
	`unpriced` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`, `source`)
);
--> statement-breakpoint
CREATE TABLE `provider_paces` (
	`provider` text PRIMARY KEY NOT NULL,
	`next_request_ms` real NOT NULL,
	`next_token_ms` real NOT NULL,
	`held_until_ms` real NOT NULL
);
--> statement-breakpoint
ALTER TABLE `analyses` ADD `spend_cap_micros` integer;
--> statement-breakpoint
ALTER TABLE `jobs` ADD `outcome` text;
--> statement-breakpoint
CREATE INDEX `jobs_outcome` ON `jobs` (`collect_id`,`outcome`,`source`);
--> statement-breakpoint
CREATE TABLE `keyword_figures` (
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`country` text NOT NULL,
	`language` text NOT NULL,
	`keyword` text NOT NULL,
	`search_volume` integer,
	`trends` text,
	`volume_from` text,
	`volume_at` integer,
	`search_interest_trends` text,
	`related_queries` text,
	`interest_from` text,
	`interest_at` integer,
	PRIMARY KEY(`workspace_id`, `country`, `language`, `keyword`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `exports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`what` text NOT NULL,
	`format` text NOT NULL,
	`filters` text NOT NULL,
	`status` text NOT NULL,
	`failure_reason` text,
	`as_of` integer,
	`rows` integer,
	`size_bytes` integer,
	`sha256` text,
	`has_file` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`expires_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `exports_workspace` ON `exports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `exports_organization` ON `exports` (`organization_id`,`status`);--> statement-breakpoint
CREATE INDEX `exports_file` ON `exports` (`sha256`,`has_file`);--> statement-breakpoint
CREATE INDEX `collects_newest` ON `collects` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `collects_parts` ON `collects` (`part_of`,`collected_from`);--> statement-breakpoint
CREATE INDEX `places_brand` ON `places` (`brand_number`,`answer_key`);--> statement-breakpoint
DROP INDEX `api_keys_organization`;--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_id`,`id`);
