// Weeks as buttons: all of them, the odd or the even ones at one press.

import { onEachScreen } from "./shell/each-screen.js";

const WAYS = { all: () => true, odd: (week) => week % 2 === 1, even: (week) => week % 2 === 0 };

onEachScreen((root) => {
  for (const group of root.querySelectorAll("[data-weeks]")) {
    const boxes = [...group.querySelectorAll("input")];
    for (const button of group.querySelectorAll("[data-way]")) {
      button.addEventListener("click", () => {
        for (const box of boxes) box.checked = WAYS[button.dataset.way](Number(box.value));
      });
    }
    group.querySelector("[data-ways]").hidden = false;
  }
});
