import { NftGrid } from './NftGrid'

export default function FirstNfts() {
  return <NftGrid first />
}
