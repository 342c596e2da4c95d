import { ListView } from '../account/ListView'
import { TokenList } from './TokenList'

export default function Tokens() {
  return (
    <ListView>
      <TokenList />
    </ListView>
  )
}
