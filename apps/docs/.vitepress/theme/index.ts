import type { Theme } from 'vitepress'
import base from 'vitepress/theme'
import ConfiguratorPage from '../../src/configurator/ConfiguratorPage.vue'
import './postern.css'

export default {
  extends: base,
  enhanceApp({ app }) {
    // `layout: configurator` in a page's front matter.
    app.component('configurator', ConfiguratorPage)
  },
} satisfies Theme
