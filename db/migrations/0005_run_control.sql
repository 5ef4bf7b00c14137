CREATE TABLE `analysis_setups` (
	`analysis_id` text NOT NULL,
	`version` integer NOT NULL,
	`setup` text NOT NULL,
	`positions` text,
	`question_count` integer NOT NULL,
	`unit_credits` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`analysis_id`, `version`),
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP INDEX `collects_open`;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `text` text;--> statement-breakpoint
ALTER TABLE `collects` ADD `setup_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `is_held` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `is_canceled` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `collects_open` ON `collects` (`finished_at`,`is_held`,`is_scheduled`,`organization_id`,`id`);--> statement-breakpoint
ALTER TABLE `analyses` ADD `setup_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `analyses` ADD `rounds_left` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analyses` ADD `round_credits` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analyses` ADD `reckoned_at` integer;--> statement-breakpoint
UPDATE `analyses` SET
	`rounds_left` = CASE WHEN `next_collect_at` IS NULL THEN 0 ELSE `planned_collects` - CASE `schedule`
		WHEN 'daily' THEN (`next_collect_at` - `created_at` + 43200000) / 86400000
		WHEN 'weekly' THEN (`next_collect_at` - `created_at` + 43200000) / 604800000
		ELSE (strftime('%Y', `next_collect_at` / 1000, 'unixepoch') - strftime('%Y', `created_at` / 1000, 'unixepoch')) * 12
			+ strftime('%m', `next_collect_at` / 1000, 'unixepoch') - strftime('%m', `created_at` / 1000, 'unixepoch') END END,
	`round_credits` = coalesce((
		SELECT max(`collects`.`planned` * `collects`.`unit_credits`) FROM `collects` WHERE `collects`.`analysis_id` = `analyses`.`id`
	), 0);--> statement-breakpoint
UPDATE `analyses` SET `schedule` = CASE `schedule`
	WHEN 'once' THEN json_object('every', 'once', 'at', '06:00', 'time_zone', 'UTC')
	WHEN 'daily' THEN json_object('every', 'daily', 'at', strftime('%H:%M', `created_at` / 1000, 'unixepoch'), 'time_zone', 'UTC')
	WHEN 'weekly' THEN json_object('every', 'weekly', 'at', strftime('%H:%M', `created_at` / 1000, 'unixepoch'),
		'weekday', CASE strftime('%w', `created_at` / 1000, 'unixepoch') WHEN '0' THEN 'sunday' WHEN '1' THEN 'monday' WHEN '2' THEN 'tuesday'
			WHEN '3' THEN 'wednesday' WHEN '4' THEN 'thursday' WHEN '5' THEN 'friday' ELSE 'saturday' END, 'time_zone', 'UTC')
	ELSE json_object('every', 'monthly', 'at', strftime('%H:%M', `created_at` / 1000, 'unixepoch'),
		'day_of_month', CAST(strftime('%d', `created_at` / 1000, 'unixepoch') AS INTEGER), 'time_zone', 'UTC') END;--> statement-breakpoint
INSERT INTO `analysis_setups` (`analysis_id`, `version`, `setup`, `positions`, `question_count`, `unit_credits`, `created_by`, `created_at`)
SELECT `analyses`.`id`, 1, `analyses`.`setup`, NULL, coalesce((
	SELECT `collects`.`planned` / max(1, json_array_length(`analyses`.`setup`, '$.sources') * json_extract(`analyses`.`setup`, '$.runs_per_prompt'))
	FROM `collects` WHERE `collects`.`analysis_id` = `analyses`.`id` AND `collects`.`number` = 1 AND `collects`.`unit_credits` > 0
), (SELECT count(*) FROM `questions` WHERE `questions`.`analysis_id` = `analyses`.`id`)),
	`analyses`.`unit_credits`, `analyses`.`created_by`, `analyses`.`created_at`
FROM `analyses`;
