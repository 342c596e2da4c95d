/**
 * How long a passphrase withstands an attacker who has the gateway's shares and guesses without limit. Loaded when a
 * passphrase is chosen: the lists of common passwords are large.
 */
import { wordlist } from '@scure/bip39/wordlists/english'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPassphraseLength, normalised } from './passphrase'

/** `missing`: characters. */
export type Strength =
  | { readonly kind: 'short'; readonly missing: number }
  | { readonly kind: 'weak' | 'fair' | 'strong' }

/** In powers of ten. With Argon2id's 64 MiB a graphics card tries about a thousand a second: 10^12 take it 30 years. */
const fairGuesses = 12
const strongGuesses = 16

const meter = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
/** The meter's time grows with the length; what is beyond makes a passphrase only stronger. */
const maxMeasured = 64

export function strengthOf(passphrase: string): Strength {
  const characters = [...normalised(passphrase)]
  if (characters.length < minPassphraseLength)
    return { kind: 'short', missing: minPassphraseLength - characters.length }
  const { guessesLog10 } = meter.check(characters.slice(0, maxMeasured).join(''))
  if (guessesLog10 < fairGuesses) return { kind: 'weak' }
  return { kind: guessesLog10 < strongGuesses ? 'fair' : 'strong' }
}

/** Six words of BIP-39's list: 66 bits. */
export function suggestPassphrase(): string {
  const numbers = crypto.getRandomValues(new Uint16Array(6))
  return Array.from(numbers, (number) => wordlist[number % wordlist.length]).join(' ')
}
