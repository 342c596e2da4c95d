import theme from 'vitepress/theme'
import './postern.css'

export default theme
