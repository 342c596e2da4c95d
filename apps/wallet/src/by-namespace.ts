import type { Namespace } from '@postern/protocol'

export function byNamespace<T>(of: (namespace: Namespace) => T): Readonly<Record<Namespace, T>> {
  return { eip155: of('eip155'), solana: of('solana'), bip122: of('bip122') }
}
