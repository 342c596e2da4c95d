import { ListView } from '../account/ListView'
import { NftGrid } from './NftGrid'

export default function Nfts() {
  return (
    <ListView>
      <NftGrid />
    </ListView>
  )
}
