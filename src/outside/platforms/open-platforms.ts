import type { Platform, PlatformKind, Platforms } from "../../../core/platforms.ts";
import type { Environment } from "../../config.ts";
import { oauthPlatform } from "./oauth-platform.ts";

/** The platforms that the operator configured. */
export function openPlatforms({ ADVERTISING_PLATFORM, SOCIAL_VIDEO_PLATFORM }: Environment): Platforms {
  const platforms = new Map<PlatformKind, Platform>();
  if (ADVERTISING_PLATFORM) platforms.set("advertising", oauthPlatform(ADVERTISING_PLATFORM, "Advertising"));
  if (SOCIAL_VIDEO_PLATFORM) platforms.set("social_video", oauthPlatform(SOCIAL_VIDEO_PLATFORM, "Social video"));
  return platforms;
}
