import { noop } from '../noop'
import type { Account, BitcoinAccount, BitcoinProvider, Namespace, Postern, Snapshot, SolanaProvider } from '../types'

/**
 * Accounts are available at once; the first use loads the rest. Adding a listener never fails: the next request reports
 * a load error.
 */
export function deferProviders(
  load: () => Promise<{ readonly solana: SolanaProvider; readonly bip122: BitcoinProvider }>,
  getSnapshot: () => Snapshot,
): Pick<Postern, 'solana' | 'bip122'> {
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
      on: (event, listener) => void load().then(({ solana }) => solana.on(event, listener), noop),
      off: (event, listener) => void load().then(({ solana }) => solana.off(event, listener), noop),
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
      on: (event, listener) => void load().then(({ bip122 }) => bip122.on(event, listener), noop),
      off: (event, listener) => void load().then(({ bip122 }) => bip122.off(event, listener), noop),
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
