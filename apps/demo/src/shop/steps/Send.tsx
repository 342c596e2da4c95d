import { usePostern } from '@postern/client/react'
import { useState } from 'react'
import { isHex, parseEther, toHex } from 'viem'
import { neighbours } from '../../dapp/config'
import { chainOf, type ShopAccount } from '../account'
import { Action } from '../parts/Action'
import { Choice } from '../parts/Choice'

/** Sends through the EIP-1193 provider, which viem, ethers and wagmi accept as it is. */
export function Send({ account }: { readonly account: ShopAccount }) {
  const { postern } = usePostern()
  const [to, setTo] = useState<string>(neighbours[0].address)

  async function send() {
    const transaction = { from: account.address, to, value: toHex(parseEther('0.001')) }
    const hash = await postern.eip155.request({ method: 'eth_sendTransaction', params: [transaction] })
    if (!isHex(hash)) throw new Error('The wallet returned no transaction.')
    await chainOf(postern).waitForTransactionReceipt({ hash })
  }

  return (
    <>
      <Choice
        label="To"
        options={neighbours.map(({ name, address }) => ({ value: address, name }))}
        value={to}
        onChange={setTo}
      />
      <Action label="Send 0.001 ETH" done="Sent and confirmed." run={send} />
    </>
  )
}
