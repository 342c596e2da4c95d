/**
 * Texts whose signature is a key, from which a site derives an account or a lasting login. A thief must show the same
 * text: look-alike letters make another key.
 */

/** Texts of zkSync, zkLink, Lighter, StarkEx, dYdX, Loopring, Hermez, Umbra, Immutable, XMTP, Push, Ceramic, Hinkal. */
const known: readonly RegExp[] = [
  /access zksync account/,
  /(?:create|register) (?:zklink|zksync|zkbnb|lighter)/,
  /\b(?:dydx|stark|firefly|apex|paradex)\b.{0,20}\b(?:key|onboarding|chain onboarding)\b/,
  /\bdydx-stark\b/,
  /sign this message to access (?:loopring|your umbra)/,
  /hermez network account access/,
  /only sign this (?:request|key linking request)\b.{0,60}\bimmutable/,
  /xmtp ?: ?(?:create|enable|grant|authenticate)\b/,
  /\b(?:create|enable) push (?:chat )?profile\b/,
  /add this account as a \S+ authentication method/,
  /allow this account to control your identity/,
  /login to hinkal protocol/,
]

const rules: readonly RegExp[] = [
  /\b(?:generat|regenerat|deriv|creat|comput|restor|recover|unlock|access|register|obtain|retriev|decrypt)\w*\b[^.!?]{0,80}\b(?:keys?|seed|secret)\b/,
  /\b(?:generat|regenerat|deriv|restor|recover)\w*\b[^.!?]{0,60}\b(?:semaphore|shielded|stealth|zk|privacy)\b/,
  /\b(?:stark|l2|layer ?2|zk|privacy|private|viewing|view|spending|spend|encryption|decryption|secret|stealth|signing|trading|session|api)[- ]?keys?\b/,
  /\bkey nonce\b/,
  /\bonly sign (?:this|it|in|on)\b/,
  /\btrusted (?:client|application|app|site|website|web site|dapp|platform)\b/,
  /\b(?:never|do not|don['’]t) (?:share|give|send|show)\b[^.!?]{0,40}\bsignature\b/,
  /\b(?:never|do not|don['’]t) sign\b[^.!?]{0,40}\b(?:other|another|elsewhere|untrusted)\b/,
]

/** Usual sign-ins say what they do not do: “This doesn’t give access to your private keys.” */
const denial =
  /\b(?:(?:not|never|cannot|(?:wo|do|does|ca)n['’]t) (?:ask|expose|get|give|grant|have|lose|need|request|reveal|see|share|store)|without (?:exposing|giving|revealing|sharing))\b[^.!?:;,]{0,60}\b(?:keys?|seed|secret)\b|\bno private keys?\b/g

export function isKeyText(text: string): boolean {
  const plain = text.toLowerCase().replace(/\s+/g, ' ').replace(denial, '')
  return [...known, ...rules].some((one) => one.test(plain))
}
