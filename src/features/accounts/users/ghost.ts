import type { UserView } from "./model.ts";

/** Replaces the author when their account is gone. */
export const ghost: UserView = {
  id: -1,
  kind: "user",
  name: "Ghost",
  fullName: "",
  email: "",
  hideEmail: true,
  avatar: "",
  description: "",
  website: "",
  location: "",
  language: "",
  visibility: "public",
  isAdmin: false,
  isActive: false,
  isRestricted: false,
  prohibitLogin: false,
  loginName: "",
  sourceId: 0,
  createdMs: 0,
  lastLoginMs: 0,
  followersCount: 0,
  followingCount: 0,
  starsCount: 0,
};
