import { ListView } from '../account/ListView'
import { NftGrid } from './NftGrid'

/** All collectibles of the accounts on show. */
export default function Nfts() {
  return (
    <ListView>
      <NftGrid />
    </ListView>
  )
}
