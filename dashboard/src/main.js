// The page's beginning: mounts the frame into which every page is put.
import { mount } from 'svelte';
import App from './App.svelte';
import './style/fonts.css';
import './style/base.css';
import './style/parts.css';

mount(App, { target: document.getElementById('app') });
