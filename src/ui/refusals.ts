import type { Texts } from "./texts/texts.ts";

type Sentence = keyof Texts["forms"]["refusals"];

/** Refusals whose words are fixed for programs, and what people are told instead. */
const known: readonly (readonly [RegExp, Sentence])[] = [
  [/^Required$/, "required"],
  [/^AlphaDashDot$/, "nameLetters"],
  [/^Username$|^name is invalid/i, "username"],
  [/^MaxSize/, "tooLong"],
  [/^(?:Url|ValidUrl)$|^Invalid url$|^Invalid Url|URL not valid$|^Invalid external wiki URL$|^Invalid mirror protocol$/, "address"],
  [/^Email$/, "email"],
  [/^GitRefName$/, "refName"],
  [/^(?:user|account|user redirect) does not exist|^GetUserByName/, "noSuchUser"],
  [/^team does not exist/, "noSuchTeam"],
  [/^The new owner does not exist|^GetOrgByName/, "noSuchAccount"],
  [/^Given user is not allowed to create repository in organization/, "noRightThere"],
  [/^repository already exists|^The repository with the same name already exists/, "repositoryTaken"],
  [/^user already exists/, "accountTaken"],
  [/^name is reserved|^name pattern is not allowed/, "reserved"],
  [/^Release is has no Tag$/, "releaseThere"],
  [/^tag already exists/, "tagThere"],
  [/^release tag name is protected|^user not allowed to (?:create|delete) protected tag/, "tagProtected"],
  [/^a tag attached to a release/, "tagOfRelease"],
  [/^target (?:".*" )?not found:/s, "noSuchTarget"],
  [/^repo is empty$|^Git Repository is empty/, "repositoryEmpty"],
  [/^the form has more parts/, "tooManyFiles"],
  [/^repository is already being transferred/, "beingTransferred"],
  [/^(?:Branch|Tag) protection already exist/, "ruleThere"],
  [/^both whitelist_usernames and whitelist_teams are empty/, "nobodyAllowed"],
  [/^(?:both rule_name and branch_name|name_pattern) are empty/, "required"],
  [/^user is blocked|blocked/i, "blocked"],
  [/^e-mail already in use|^email already/i, "emailTaken"],
  [/^organization still has ownership/, "stillOwns"],
  [/^the name that was typed is another one/, "otherName"],
  [/^an organization keeps at least one owner/, "lastOwner"],
  [/^team already exists/, "teamTaken"],
  [/^time: invalid duration/, "duration"],
  [/^invalid mirror interval/, "interval"],
  [/^The two passwords differ/, "passwordsDiffer"],
  [/^A password has at least/, "passwordShort"],
  [/^A password has at most/, "passwordLong"],
  [/^the code is wrong/, "codeWrong"],
  [/^the secret was replaced|^there is no secret that waits|^two-factor sign-in is (?:on already|off)/, "changedMeanwhile"],
  [/^too many failed attempts/, "tooManyAttempts"],
  [/^Enter an e-mail address/, "email"],
  [/^addresses of this domain are not let in/, "domainNotLetIn"],
  [/^None of the emails attached to the GPG key/, "gpgNoEmail"],
  [/^The provided GPG key, signature and token do not match/, "gpgMismatch"],
  [/^failed to parse gpg key/, "gpgUnreadable"],
  [/^A key with the same id already exists/, "keyTaken"],
  [/^cannot block the user/, "cannotBlock"],
  [/ is no absolute address without a fragment that a browser can be sent to$/, "redirectUnusable"],
  [/^can not delete the last admin user/, "lastAdmin"],
  [/^a letter is on its way to this address/, "letterOnItsWay"],
  [/^This link is no longer good/, "linkSpent"],
  [/^This form is no longer valid/, "formSpent"],
  [/^Topic names are invalid/, "topicLetters"],
  [/^Exceeding maximum number of topics/, "tooManyTopics"],
  [/^the difference is too large to be listed/, "tooMuchChanged"],
  [/^This request comes from another site/, "fromElsewhere"],
];

/** What a refusal says to somebody who reads a page. What is not known says itself. */
export function sayProblem({ forms }: Texts, message: string): string {
  const sentence = known.find(([pattern]) => pattern.test(message))?.[1];
  return sentence === undefined ? message : forms.refusals[sentence];
}
