/**
 * How long a passphrase withstands an attacker who has the gateway's shares and guesses without limit.
 *
 * 1. A listed word is refused, also with a year, a digit or separators. Several words count by their ranks. The lists
 *    are English and those of the browser's languages.
 * 2. If a list does not load, the limits rise so far that no short sentence passes.
 * 3. A suggested passphrase is strong, also without lists.
 */
import { wordlist } from '@scure/bip39/wordlists/english'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { type Lists, loadLists } from './lists'
import { minPassphraseLength, normalised } from './passphrase'

/** `missing`: characters. */
export type Strength =
  | { readonly kind: 'short'; readonly missing: number }
  | { readonly kind: 'weak' | 'fair' | 'strong' }

export type Meter = {
  readonly strengthOf: (passphrase: string) => Strength
  /** Six words of BIP-39's list: 66 bits. */
  readonly suggestPassphrase: () => string
}

/**
 * In powers of ten. With Argon2id's 64 MiB, a graphics card makes about a thousand guesses per second: 10^12 take 30
 * years.
 */
const minGuesses = { fair: 12, strong: 16 } as const
/** Each letter of an unlisted word counts as 10 guesses. */
const minGuessesWithoutLists = { fair: 20, strong: 22 } as const

/** The meter's time grows with the length, and more characters only add strength. */
const maxMeasured = 64
/** Attackers try these first, and no list has them. */
const obvious = ['passphrase', 'correcthorsebatterystaple']
const separators = /[^\p{L}\p{M}\p{N}]+/gu
/** With or without separators, in powers of ten. */
const separatorGuesses = Math.log10(2)

/** BCP 47 tags, the preferred one first. */
export async function loadMeter(languages: readonly string[]): Promise<Meter> {
  return createMeter(await loadLists(languages))
}

export function createMeter({ dictionary, isComplete }: Lists): Meter {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common, ...dictionary, obvious },
    graphs: adjacencyGraphs,
  })
  const { fair, strong } = isComplete ? minGuesses : minGuessesWithoutLists

  const strengthOf = (passphrase: string): Strength => {
    const text = normalised(passphrase)
    const characters = [...text].length
    if (characters < minPassphraseLength) return { kind: 'short', missing: minPassphraseLength - characters }
    const joined = text.replaceAll(separators, '')
    // zxcvbn takes a short word and its spaces for random characters.
    const guesses =
      joined === text || joined === ''
        ? guessesOf(zxcvbn, text)
        : Math.min(guessesOf(zxcvbn, text), guessesOf(zxcvbn, joined) + separatorGuesses)
    if (guesses < fair) return { kind: 'weak' }
    return { kind: guesses < strong ? 'fair' : 'strong' }
  }
  const suggestPassphrase = (): string => {
    const suggested = randomWords()
    return strengthOf(suggested).kind === 'strong' ? suggested : suggestPassphrase()
  }
  return { strengthOf, suggestPassphrase }
}

/**
 * In powers of ten. zxcvbn adds 10^4 for each further part, so four common words always have 10^12. An attacker needs
 * only the product of their ranks, in any order.
 */
function guessesOf(zxcvbn: ZxcvbnFactory, text: string): number {
  const { guessesLog10, sequence } = zxcvbn.check([...text].slice(0, maxMeasured).join(''))
  const product = sequence.reduce((sum, part, index) => {
    const guesses: unknown = part.guesses
    return sum + (typeof guesses === 'number' ? Math.log10(guesses * (index + 1)) : Number.POSITIVE_INFINITY)
  }, 0)
  return Math.min(guessesLog10, product)
}

function randomWords(): string {
  const numbers = crypto.getRandomValues(new Uint16Array(6))
  return Array.from(numbers, (number) => wordlist[number % wordlist.length]).join(' ')
}
