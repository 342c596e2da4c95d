/**
 * Texts of which the signature is a key: a site derives an account from it, or takes it as a login that never ends. The
 * key depends on every letter, so a site that steals it must show the same text.
 */

/** By the services that ask for them: zkSync, zkLink, Lighter, StarkEx, dYdX, Loopring, Hermez, Umbra, Immutable, XMTP. */
const known: readonly RegExp[] = [
  /access zksync account/,
  /(?:create|register) (?:zklink|zksync|zkbnb|lighter)/,
  /\b(?:dydx|stark|firefly|apex|paradex)\b.{0,20}\b(?:key|onboarding|chain onboarding)\b/,
  /\bdydx-stark\b/,
  /sign this message to access (?:loopring|your umbra)/,
  /hermez network account access/,
  /only sign this (?:request|key linking request)\b.{0,60}\bimmutable/,
  /xmtp ?: ?(?:create|enable) identity/,
]

const rules: readonly RegExp[] = [
  // Generates, derives or creates a key.
  /\b(?:generat|regenerat|deriv|creat|comput|restor|recover|unlock|access|register)\w*\b[^.!?]{0,80}\b(?:keys?|seed|secret)\b/,
  /\b(?:stark|l2|layer ?2|zk|privacy|private|viewing|view|spending|spend|encryption|decryption|secret|stealth|signing|trading|session|api)[- ]?keys?\b/,
  /\bkey nonce\b/,
  /\bonly sign (?:this|it|in|on)\b/,
  /\btrusted (?:client|application|app|site|website|web site|dapp|platform)\b/,
  /\b(?:never|do not|don['’]t) (?:share|give|send|show)\b[^.!?]{0,40}\bsignature\b/,
]

export function isKeyText(text: string): boolean {
  const plain = text.toLowerCase().replace(/\s+/g, ' ')
  return [...known, ...rules].some((one) => one.test(plain))
}
