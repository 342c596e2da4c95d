import { accountAt } from './devnet'

export const partnerUserId = 'a-purchase-of-ada-1'
export const buyer = accountAt(5).address
export const order = {
  destinationWallets: [{ address: buyer, blockchains: ['postern-31337'], assets: ['DUSD'] }],
  defaultNetwork: 'postern-31337',
  partnerUserId,
  defaultExperience: 'buy',
}
