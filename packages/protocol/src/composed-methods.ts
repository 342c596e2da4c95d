/** In a file of its own, because the page loads it early. */
export const composedMethods = {
  wallet_connect: { namespace: 'eip155', risk: 'composed' },
  eth_sendTransactionSync: { namespace: 'eip155', risk: 'composed', sends: 'transaction' },
  solana_signIn: { namespace: 'solana', risk: 'composed' },
} as const

export function isComposedMethod(namespace: string, method: string): boolean {
  return Object.entries(composedMethods).some(([name, facts]) => name === method && facts.namespace === namespace)
}
