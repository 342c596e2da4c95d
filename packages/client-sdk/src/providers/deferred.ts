import type { StandardNamespace } from '@postern/protocol/namespaces'
import type { Account, BitcoinAccount, Namespace, Postern, Snapshot } from '../types/index'

type Loaded = Pick<Postern, StandardNamespace>

/**
 * Providers whose accounts are available at once; the first use loads the rest.
 * Adding a listener never fails: the next successful load adds it, with the changes since it was added.
 */
export function deferProviders(loadSince: (earlier: Snapshot) => Promise<Loaded>, getSnapshot: () => Snapshot): Loaded {
  let missed: (() => void)[] = []

  async function load(earlier = getSnapshot()): Promise<Loaded> {
    const providers = await loadSince(earlier)
    const retries = missed
    missed = []
    for (const retry of retries) retry()
    return providers
  }

  function listen(change: (providers: Loaded) => void): void {
    const earlier = getSnapshot()
    const attempt = () => void load(earlier).then(change, () => missed.push(attempt))
    attempt()
  }

  const addresses = () => accountsOf(getSnapshot(), 'solana').map(({ address }) => address)
  return {
    solana: {
      get publicKey() {
        return addresses()[0] ?? null
      },
      get accounts() {
        return addresses()
      },
      request: (args) => load().then(({ solana }) => solana.request(args)),
      connect: (options) => load().then(({ solana }) => solana.connect(options)),
      disconnect: () => load().then(({ solana }) => solana.disconnect()),
      signMessage: (message) => load().then(({ solana }) => solana.signMessage(message)),
      signTransaction: (transaction) => load().then(({ solana }) => solana.signTransaction(transaction)),
      signAllTransactions: (transactions) => load().then(({ solana }) => solana.signAllTransactions(transactions)),
      signAndSendTransaction: (transaction, options) =>
        load().then(({ solana }) => solana.signAndSendTransaction(transaction, options)),
      on: (event, listener) => listen(({ solana }) => solana.on(event, listener)),
      off: (event, listener) => listen(({ solana }) => solana.off(event, listener)),
    },
    bip122: {
      get accounts() {
        return bitcoinAccounts(accountsOf(getSnapshot(), 'bip122'))
      },
      request: (args) => load().then(({ bip122 }) => bip122.request(args)),
      connect: () => load().then(({ bip122 }) => bip122.connect()),
      disconnect: () => load().then(({ bip122 }) => bip122.disconnect()),
      getAccountAddresses: () => load().then(({ bip122 }) => bip122.getAccountAddresses()),
      signMessage: (message) => load().then(({ bip122 }) => bip122.signMessage(message)),
      signPsbt: (request) => load().then(({ bip122 }) => bip122.signPsbt(request)),
      sendTransfer: (transfer) => load().then(({ bip122 }) => bip122.sendTransfer(transfer)),
      on: (event, listener) => listen(({ bip122 }) => bip122.on(event, listener)),
      off: (event, listener) => listen(({ bip122 }) => bip122.off(event, listener)),
    },
  }
}

function accountsOf({ connections }: Snapshot, namespace: Namespace): readonly Account[] {
  const connection = connections[namespace]
  return connection?.status === 'connected' ? connection.accounts : []
}

export function bitcoinAccounts(accounts: readonly Account[]): BitcoinAccount[] {
  return accounts.map(({ namespace: _, type, ...account }) => ({
    ...account,
    purpose: type === 'ordinals' ? type : 'payment',
  }))
}
