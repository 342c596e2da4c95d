import type { Clock } from '@postern/base/clock'

const intervalMs = 50
const maxReads = 20

/**
 * Reads a wallet's network until it is the expected one, for about a second. Returns the last value. Some wallets
 * (MetaMask on phones) answer a switch before they have switched.
 */
export async function untilSwitched<T>(
  read: () => Promise<T>,
  isSwitched: (network: T) => boolean,
  clock: Pick<Clock, 'after'>,
): Promise<T> {
  for (let reads = 1; ; reads++) {
    const network = await read()
    if (isSwitched(network) || reads === maxReads) return network
    await new Promise<void>((resolve) => clock.after(intervalMs, resolve))
  }
}
