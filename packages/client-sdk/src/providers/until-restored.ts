import { failure } from '../shared/errors'
import { isRestoring, shownAccounts } from '../state/state'
import type { Namespace } from '../types/index'
import type { ProviderOptions } from './options'

/**
 * Waits while a session is being restored.
 * @throws UNAUTHORIZED if another account is restored than the page showed
 */
export async function untilRestored(
  { getSnapshot, settled }: Pick<ProviderOptions, 'getSnapshot' | 'settled'>,
  namespace: Namespace,
): Promise<void> {
  const connection = () => getSnapshot().connections[namespace]
  if (!isRestoring(connection())) return
  const [before] = shownAccounts(connection())
  await settled(namespace)
  const [now] = shownAccounts(connection())
  if (now !== undefined && now.address !== before?.address) throw failure('UNAUTHORIZED')
}
