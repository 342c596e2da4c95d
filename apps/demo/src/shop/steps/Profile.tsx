import { usePostern } from '@postern/client/react'
import { useQuery } from '@tanstack/react-query'
import { erc20Abi, formatUnits } from 'viem'
import { nameResolver, playDollar } from '../../dapp/config'
import { givePlayMoney } from '../../dapp/play-money'
import { chainOf, type ShopAccount } from '../account'
import { Action } from '../parts/Action'
import { amountText, Identity } from '../parts/Identity'

/** Name, picture and balances, read from the chain by the wallet's own provider. */
export function Profile({ account }: { readonly account: ShopAccount }) {
  const { postern } = usePostern()
  const { address, networkId, wallet } = account
  const { data } = useQuery({
    queryKey: ['profile', address, networkId],
    refetchInterval: 4_000,
    queryFn: async () => {
      const chain = chainOf(postern)
      const [name, ether, dollars] = await Promise.all([
        // A name that cannot be read is left out.
        chain.getEnsName({ address, universalResolverAddress: nameResolver }).catch(() => null),
        chain.getBalance({ address }),
        chain.readContract({ address: playDollar, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
      ])
      return { name, ether: formatUnits(ether, 18), dollars: formatUnits(dollars, 6) }
    },
  })
  return (
    <>
      <Identity address={address} name={data?.name ?? null} wallet={wallet}>
        <span>{data === undefined ? '…' : `${amountText(data.ether)} ETH`}</span>
        <span>{data === undefined ? '…' : `${amountText(data.dollars)} DUSD`}</span>
      </Identity>
      <Action label="Get play money" done="You got 1 ETH and 50 DUSD." run={() => givePlayMoney(networkId, address)} />
    </>
  )
}
