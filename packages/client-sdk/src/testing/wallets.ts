/** Fake wallets record requests and return what the test sets. */
export const solanaKey = 'FwRYtTPRk5N4wUeP87rTw9kQVSwigB6kbikGzzeCMrW5'
export const icon = 'data:image/svg+xml,x'

type Answer = (input: never) => unknown

/** Records each call. */
export function standardWallet(
  name: string,
  features: Readonly<Record<string, Readonly<Record<string, Answer>>>>,
  more: { readonly chains?: readonly string[]; readonly accounts?: readonly object[] } = {},
) {
  const asked: [feature: string, ...inputs: unknown[]][] = []
  const changed = new Set<(change: object) => void>()
  const recorded = Object.entries(features).map(([feature, members]) => [
    feature,
    {
      version: '1.0.0',
      ...Object.fromEntries(
        Object.entries(members).map(([member, answer]) => [
          member,
          async (...inputs: unknown[]) => {
            asked.push([feature, ...inputs])
            return Promise.all(
              (inputs.length > 0 ? inputs : [undefined]).map((input) => Reflect.apply(answer, null, [input])),
            ).then((answers) => (/:sign/.test(feature) ? answers : answers[0]))
          },
        ]),
      ),
    },
  ])
  const wallet = {
    version: '1.0.0',
    name,
    icon,
    chains: more.chains ?? ['solana:mainnet'],
    accounts: more.accounts ?? [],
    features: {
      ...Object.fromEntries(recorded),
      'standard:events': {
        version: '1.0.0',
        on(_: string, listener: (change: object) => void) {
          changed.add(listener)
          return () => changed.delete(listener)
        },
      },
    },
  }
  return {
    wallet,
    asked,
    changed,
    setAccounts(accounts: readonly object[]) {
      wallet.accounts = accounts
      for (const listener of changed) listener({ accounts })
    },
  }
}

export function account(address: string, chain = 'solana:mainnet', more: object = {}) {
  return { address, publicKey: new Uint8Array(33).fill(2), chains: [chain], features: [], ...more }
}
